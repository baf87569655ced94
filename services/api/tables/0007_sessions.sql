-- Sessions are shown to their players: on which device they began, and on which day they were last used.
alter table sessions add browser text, add system text, add seen_on date;
update sessions set seen_on = made_at::date;
alter table sessions alter seen_on set not null;
create index on sessions (seen_on) where ended_at is null;

alter table api_tokens add seen_on date;  -- none: not used yet
create index on api_tokens (made_at);
