"""Whose results are recorded against which rival, worked out anew in SQL from games and joinings.

Each query answers with the live row and the right one (JSON, null: there is none) wherever they differ.
"""

from collections.abc import Mapping
from typing import Any, LiteralString

from services.game.projections.results_rows import RESULTS, RIVALS
from services.game.rows import Table

_RESULTS = """
with owned as (
    select r.*, coalesce(j.account, r.player) as its_owner, not r.guest or j.account is not null as is_account
    from {schema}.results r left join {schema}.joined j on j.guest = r.player
), paired as (
    select one.*, case when one.is_account and other.is_account and one.its_owner <> other.its_owner
        then other.its_owner end as its_rival
    from owned one left join owned other on other.game = one.game and other.player = one.opponent
), right_ones as (
    select *, counted and its_rival is not null and 1 = row_number() over (
        partition by its_owner, its_rival, kind, day, counted order by not rivals, ended_at, game
    ) as is_recorded from paired
)
select to_jsonb(live), to_jsonb(live) || jsonb_build_object(
    'owner', its_owner, 'rival', its_rival, 'recorded', is_recorded
)
from right_ones join {schema}.results live using (game, player)
where (live.owner, live.rival, live.recorded) is distinct from (its_owner, its_rival, is_recorded)
"""

_RIVALS = """
with games as (
    select owner as player, rival, kind, day, game, recorded, outcome from {schema}.results where rival is not null
    union all
    select players[seat], players[3 - seat], kind, day, game, false, null
    from {schema}.playing cross join generate_series(1, 2) seat where rivals and day is not null
), fresh as (
    select player, rival, kind, (count(*) filter (where recorded and outcome = 'win'))::int as wins,
        (count(*) filter (where recorded and outcome = 'loss'))::int as losses,
        (count(*) filter (where recorded and outcome = 'draw'))::int as draws,
        (count(*) filter (where recorded))::int as played,
        (array_agg(game order by day desc, game desc))[1] as last_game, max(day) as last_day
    from games group by player, rival, kind
)
select to_jsonb(live), to_jsonb(fresh) from {schema}.rivals live full join fresh using (player, rival, kind)
where to_jsonb(live) is distinct from to_jsonb(fresh)
"""

FAULTS: Mapping[Table[Any], LiteralString] = {RESULTS: _RESULTS, RIVALS: _RIVALS}
