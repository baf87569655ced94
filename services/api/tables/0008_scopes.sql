-- What a token may do; those that there are may do everything.
alter table api_tokens add scopes text[] not null default '{read,play,account}';
alter table api_tokens alter scopes drop default;
