-- What an account wants to be told of, and how; who has no row is told nothing.
create table notice_choices (
    player text primary key references players,
    mail text[] not null,  -- occasions
    push text[] not null,
    language text not null,
    unsubscribe text not null unique  -- whoever knows it can end the mails: it is in each of them
);

-- Browsers that show notices. Each belongs to the session in which that was asked for, and falls silent with it.
create table push_subscriptions (
    id text primary key,  -- of the endpoint, as a digest
    player text not null references players,
    session text,  -- none: a program's
    endpoint text not null,
    p256dh text not null,
    auth text not null,
    language text not null,
    made_at timestamptz not null
);
create index on push_subscriptions (player);

-- What was told, once each.
create table notices (
    id uuid primary key,
    player text not null,
    occasion text not null,
    event text not null,
    made_at timestamptz not null,
    unique (occasion, event, player)
);
create index on notices (made_at);
create index on notices (player);

-- Notices on their way to a browser; a row goes when it has arrived, or cannot.
create table pushes (
    id uuid primary key,
    subscription text not null references push_subscriptions on delete cascade,
    body text not null,  -- JSON for our service worker
    topic text not null,  -- a newer one of this topic takes its place
    names text[] not null,  -- whose names it holds
    until timestamptz not null,
    attempts int not null default 0,
    made_at timestamptz not null
);
create index on pushes (subscription);

-- How far the log was looked at for notices, and the last day whose last hour was told.
create table notice_progress (
    one bool primary key default true check (one),
    seq bigint not null,
    last_hour date
);

-- A mail can come too late to be of use, and can say how to get no more of its kind.
alter table mails add until timestamptz, add unsubscribe text not null default '';
