-- Everybody who has ever played here: guests, accounts, and guests that have become part of an account.
create table players (
    id text primary key,
    name text,
    skeleton text,  -- what makes the name unique
    email text unique,
    guest boolean not null,
    merged_into text references players,  -- the account that this guest belongs to
    filter boolean not null default true,  -- crude words in chat are starred
    made_at timestamptz not null
);
create unique index players_skeleton on players (skeleton) where not guest;
create index on players (merged_into) where merged_into is not null;

-- A session is known by its signed cookie or token alone; this is where it is ended.
create table sessions (
    id text primary key,
    player text not null references players,
    made_at timestamptz not null,
    ended_at timestamptz
);
create index on sessions (player) where ended_at is null;
create index on sessions (ended_at) where ended_at is not null;

-- Tokens for programs, in the same way.
create table api_tokens (
    id text primary key,
    player text not null references players,
    label text not null,
    made_at timestamptz not null,
    ended_at timestamptz
);
create index on api_tokens (player);
create index on api_tokens (ended_at) where ended_at is not null;

-- Links in e-mails: one use, a quarter of an hour.
create table sign_ins (
    token bytea primary key,  -- its SHA-256
    email text not null,
    made_at timestamptz not null,
    used_at timestamptz,
    used_by bytea,  -- SHA-256 of the request key that used it, so that a lost answer can be asked for again
    player text references players,
    new boolean
);
create index on sign_ins (made_at);
