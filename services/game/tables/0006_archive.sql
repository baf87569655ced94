-- Games that are over for long: the part of the log that leaves the stream. Nothing can make it again.
create schema archive;

create table archive.games (
    game uuid primary key,
    kind text not null,
    first_seq bigint not null,  -- of its records, claims included
    last_seq bigint not null,
    records int not null,
    data bytea not null,  -- the records, compressed
    checksum bytea not null,  -- SHA-256 of what was compressed
    archived_at timestamptz not null default now(),
    removed_at timestamptz  -- when the stream had none of them any more
);
alter table archive.games alter data set storage external;
create index on archive.games (first_seq);
create index on archive.games (last_seq);
create index on archive.games (archived_at, game) where removed_at is null;

-- What these games keep for themselves alone: the digest in the subject of a claim.
create table archive.claims (
    digest uuid primary key,
    game uuid not null references archive.games
);
create index on archive.claims (game);

-- Which games have been over for longest.
create index on games.games (ended_at, id) where ended_at is not null;
