create schema daily;

-- What is told of each day of the Daily.
create table daily.days (
    day date primary key,
    game uuid not null,
    commitment text not null,
    announced_at timestamptz not null,
    word text,  -- once the day is over
    salt text
);

-- Which guests are a part of which account; of itself, if the guest has become the account.
create table daily.joined (
    guest text primary key,
    account text not null,
    person uuid not null  -- the account's id
);
create index on daily.joined (person);

-- Every attempt that has ended, by its last guess or by midnight.
create table daily.results (
    game uuid primary key,
    day date not null,
    player text not null,  -- who made it
    guest bool not null,  -- then
    origin text not null,  -- of a guest: the network address, as a digest that is good for this day
    guesses int not null,
    solved bool not null,
    finished bool not null,  -- solved, or all guesses used
    elapsed_ms int,  -- from the first guess to the one that solved it
    finished_at timestamptz not null,
    owner text not null,  -- whose result it is now: the account's that the guest has joined, or the player's
    member bool not null,  -- the owner is an account
    counted bool not null,  -- it is its owner's result of the day
    shown bool not null  -- it is in the distribution
);
create index on daily.results (owner, day);
-- The leaderboard, and the guests beside it, by score.
create index on daily.results (day, guesses, elapsed_ms, finished_at, game) where shown and solved and member;
create index on daily.results (day, guesses, elapsed_ms) where shown and solved and not member;
-- Guests of one network address: the first who has finished is shown.
create index on daily.results (day, origin, finished_at, game) where finished and not member and origin <> '';

-- How many are shown of each day, by number of guesses (7: failed) and by time, coarse and fine.
create table daily.counts (
    day date not null,
    guesses int not null,
    width int not null,  -- of the bucket in milliseconds; 0: any time
    bucket int not null,  -- elapsed_ms divided by width
    n int not null,
    members int not null,  -- the accounts among them
    primary key (day, guesses, width, bucket)
);

-- What has come of all days of a player.
create table daily.statistics (
    player text primary key,
    played int not null,
    solved int not null,
    histogram int[] not null,  -- solved with 1 to 6 guesses; failed
    streak int not null,  -- days in a row solved, up to and with streak_end
    streak_end date,  -- the newest day solved
    longest int not null,
    last_day date  -- the newest day with a result, be it unfinished
);
