-- Who wants nothing to do with whom; accounts, or guests that are part of none.
create table blocks (
    player text not null,
    blocked text not null,
    made_at timestamptz not null,
    primary key (player, blocked)
);
create index on blocks (blocked);
