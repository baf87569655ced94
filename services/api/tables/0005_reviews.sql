-- Ended games looked back on: written with the task that makes the reviews, one row a player.
create table reviews (
    game uuid not null,
    player text not null,
    rows json not null,  -- what this player guessed, and its marks
    answer text,  -- what was to be found
    review json,  -- JSON's null for a player without guesses; none until the worker has made it
    made_at timestamptz not null,
    primary key (game, player)
);
