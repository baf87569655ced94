"""The Daily's tables worked out anew in SQL, by other means than the fold, from what each attempt says by itself.

Each query answers with the live row and the right one (JSON, null: there is none) wherever they differ.
"""

from collections.abc import Mapping
from typing import Any, LiteralString

from services.game.projections.daily_rows import COUNTS, RESULTS, STATISTICS
from services.game.rows import Table

_RESULTS = """
with owned as (
    select r.*, coalesce(j.account, r.player) as its_owner, not r.guest or j.account is not null as is_member
    from {schema}.results r left join {schema}.joined j on j.guest = r.player
), chosen as (
    select *, 1 = row_number() over (
        partition by its_owner, day order by player <> its_owner, finished_at, game
    ) as counts from owned
), right_ones as (
    select *, counts and finished and (is_member or origin = '' or 1 = row_number() over (
        partition by day, origin, finished, is_member order by finished_at, game
    )) as is_shown from chosen
)
select to_jsonb(live), to_jsonb(live) || jsonb_build_object(
    'owner', its_owner, 'member', is_member, 'counted', counts, 'shown', is_shown
)
from right_ones join {schema}.results live using (game)
where (live.owner, live.member, live.counted, live.shown) is distinct from (its_owner, is_member, counts, is_shown)
"""

_COUNTS = """
with fresh as (
    select day, case when solved then guesses else 7 end as guesses, width,
        case when width = 0 then 0 else elapsed_ms / width end as bucket,
        count(*)::int as n, (count(*) filter (where member))::int as members
    from {schema}.results cross join (values (0), (1000), (60000)) widths (width)
    where shown and (solved or width = 0)
    group by 1, 2, 3, 4
)
select to_jsonb(live), to_jsonb(fresh)
from {schema}.counts live full join fresh using (day, guesses, width, bucket)
where to_jsonb(live) is distinct from to_jsonb(fresh)
"""

_STATISTICS = """
with counted as (select * from {schema}.results where counted),
numbered as (
    select owner, day, day - (row_number() over (partition by owner order by day))::int as run from counted where solved
), runs as (
    select owner, max(day) as last, count(*)::int as length from numbered group by owner, run
), newest as (
    select distinct on (owner) owner, last, length from runs order by owner, last desc
), longest as (
    select owner, max(length) as length from runs group by owner
), totals as (
    select owner, (count(*) filter (where finished))::int as played, (count(*) filter (where solved))::int as solved,
        array[{histogram}] as histogram, max(day) as last_day
    from counted group by owner
), fresh as (
    select owner as player, played, solved, histogram, coalesce(newest.length, 0) as streak, last as streak_end,
        coalesce(longest.length, 0) as longest, last_day
    from totals left join newest using (owner) left join longest using (owner)
)
select to_jsonb(live), to_jsonb(fresh) from {schema}.statistics live full join fresh using (player)
where to_jsonb(live) is distinct from to_jsonb(fresh)
"""

_HISTOGRAM: LiteralString = ", ".join(
    [
        *(f"(count(*) filter (where solved and guesses = {number}))::int" for number in range(1, 7)),
        "(count(*) filter (where finished and not solved))::int",
    ]
)

FAULTS: Mapping[Table[Any], LiteralString] = {
    RESULTS: _RESULTS,
    COUNTS: _COUNTS,
    STATISTICS: _STATISTICS.replace("{histogram}", _HISTOGRAM),
}
