-- Who does not want to read the other one in which game.
create table mutes (
    player text not null,
    game uuid not null,
    primary key (player, game)
);

-- Who reported whom, when and in which game; never what was said.
create table reports (
    game uuid not null,
    message text not null,
    reporter text not null,
    about text not null,
    made_at timestamptz not null,
    primary key (game, message, reporter)
);
create index on reports (made_at);
