-- Mail to be sent, written with its cause; the worker sends it.
create table mails (
    id uuid primary key,
    recipient text not null,
    subject text not null,
    body text not null,
    dedupe text unique,  -- what it is about, if it must be sent only once
    state text not null default 'new',  -- new, sent, kept or failed
    attempts int not null default 0,
    made_at timestamptz not null,
    sent_at timestamptz
);
create index on mails (made_at);
