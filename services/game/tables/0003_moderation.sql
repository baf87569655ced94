create schema moderation;

-- About whom operators have done something, and how things stand with them.
create table moderation.players (
    person uuid primary key,
    player text not null,  -- the same, as the other tables name players
    muted bool not null,
    muted_until timestamptz,  -- of a mute that is not for good
    closed bool not null,
    renamed_at timestamptz  -- when their name was last taken from them
);
create unique index on moderation.players (player);
create index on moderation.players (person) where closed;

-- All that operators have done, and why.
create table moderation.actions (
    seq bigint primary key,  -- the record in the log
    person uuid not null,
    by text not null,  -- the operator's account
    at timestamptz not null,
    what text not null,
    why text not null,
    until timestamptz,  -- of a mute
    in_game uuid,  -- of a report or of a look-up
    message text,  -- that was reported
    upheld bool,  -- it was right to report it
    version int  -- of the game that was looked at
);
create index on moderation.actions (person, seq);
create index on moderation.actions (in_game, message) where what = 'report_decided';
