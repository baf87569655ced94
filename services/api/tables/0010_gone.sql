-- Accounts can be deleted: their ids stay, for other players' games are with them, and nothing else.
alter table players add gone_at timestamptz;

-- What has ended must be known for as long as it could be used, and then no longer whose it was.
alter table sessions alter player drop not null;
alter table api_tokens alter player drop not null;

-- Whose names a mail holds, so that it can be found when one of them is deleted.
alter table mails add names text[] not null default '{}';
create index on mails using gin (names);
create index on mails (recipient) where recipient <> '';
