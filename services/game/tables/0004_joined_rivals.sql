-- Games of guests who join an account count in its record against rivals: all is folded anew from the first record.
delete from positions where name = 'results';
delete from parked where projection = 'results';
drop schema results cascade;
create schema results;

-- Which guests are a part of which account; of itself, if the guest has become the account.
create table results.joined (
    guest text primary key,
    account text not null,
    person uuid not null  -- the account's id
);
create index on results.joined (person);

-- Games under way: what their end will need.
create table results.playing (
    game uuid primary key,
    kind text not null,
    players text[] not null,  -- by seat
    guests bool[] not null,  -- which of them were guests
    day date,
    rivals bool not null
);

create table results.results (
    game uuid not null,
    player text not null,  -- who sat at the game
    guest bool not null,  -- then
    opponent text,
    kind text not null,
    day date,
    ended_at timestamptz not null,
    outcome text not null,  -- win, loss, draw, none or not_counted
    guesses int not null,
    solved bool not null,
    counted bool not null,
    rivals bool not null,  -- two accounts have played it
    owner text not null,  -- whose result it is now: the account's that the guest has joined, or the player's
    rival text,  -- the other account, if both sides are accounts now
    recorded bool not null,  -- it is in the record against the rival
    primary key (game, player)
);
create index on results.results (player, ended_at desc);
create index on results.results (owner, rival, kind, day) where rival is not null;

create table results.rivals (
    player text not null,
    rival text not null,
    kind text not null,
    wins int not null,
    losses int not null,
    draws int not null,
    played int not null,  -- recorded games, those without a winner too
    last_game uuid not null,
    last_day date not null,
    primary key (player, rival, kind)
);
