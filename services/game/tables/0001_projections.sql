-- How far each projection has folded the log.
create table positions (
    name text primary key,
    seq bigint not null
);

-- Records that could not be folded.
create table parked (
    projection text not null,
    seq bigint not null,
    subject text not null,
    reason text not null,
    at timestamptz not null default now(),
    primary key (projection, seq)
);

create schema games;

create table games.games (
    id uuid primary key,
    kind text not null,
    state text not null,  -- invited, playing, over or void
    maker text not null,
    day date,
    closes_at timestamptz,
    expires_at timestamptz,
    due timestamptz,  -- when time itself must speak
    version int not null,  -- how many records it has
    seq bigint not null,  -- the newest of them
    made_at timestamptz not null,
    began_at timestamptz,
    ended_at timestamptz
);
create index on games.games (due) where due is not null;

create table games.seats (
    game uuid not null,
    seat int not null,
    player text not null,
    guest bool not null,
    guesses int not null,
    solved bool not null,
    finished bool not null,
    primary key (game, seat)
);
create index on games.seats (player, game);

create schema results;

-- Games under way: what their end will need.
create table results.playing (
    game uuid primary key,
    kind text not null,
    players text[] not null,  -- by seat
    day date,
    rivals bool not null
);

create table results.results (
    game uuid not null,
    player text not null,
    opponent text,
    kind text not null,
    day date,
    ended_at timestamptz not null,
    outcome text not null,  -- win, loss, draw, none or not_counted
    guesses int not null,
    solved bool not null,
    counted bool not null,
    primary key (game, player)
);
create index on results.results (player, ended_at desc);

create table results.rivals (
    player text not null,
    rival text not null,
    kind text not null,
    wins int not null,
    losses int not null,
    draws int not null,
    played int not null,  -- counted games, those without a winner too
    last_game uuid not null,
    last_day date not null,
    primary key (player, rival, kind)
);
