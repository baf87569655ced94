"""Everything that is counted, under the names that dashboards and alarms rest on. Labels never hold an id."""

from prometheus_client import Counter, Gauge, Histogram

_FAST = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)

REQUESTS = Histogram(
    "wordyard_request_seconds",
    "HTTP requests from receipt to answer",
    ("method", "route", "status"),
    buckets=_FAST,
)
SOCKETS = Gauge("wordyard_sockets", "WebSockets that are open")

COMMANDS = Counter(
    "wordyard_commands_total",
    "Commands by kind of game, type, and outcome: stored, repeated or a reason",
    ("kind", "command", "outcome"),
)
APPEND = Histogram("wordyard_append_seconds", "One append to the log, until it is acknowledged", buckets=_FAST)
CONFLICTS = Counter("wordyard_append_conflicts_total", "Appends that another writer overtook")
PREPARED = Counter("wordyard_games_prepared_total", "Games read shortly before their time")

FOLDED = Counter("wordyard_folded_total", "Records folded into tables", ("projection",))
FOLD_LAG = Gauge("wordyard_fold_lag_records", "Records of the log that are not yet folded", ("projection",))
FOLD_LAG_SECONDS = Gauge(
    "wordyard_fold_lag_seconds", "Age of the oldest record that is not yet folded", ("projection",)
)
PARKED = Gauge("wordyard_parked_records", "Records set aside since they could not be folded", ("projection",))

ARCHIVED = Counter("wordyard_archived_total", "Games that have left the stream for the archive")
ARCHIVE_LAG = Gauge("wordyard_archive_lag_seconds", "How long the oldest game to be archived has been due for it")
ARCHIVE_FAILURES = Counter("wordyard_archive_failures_total", "Games, or attempts, that did not get into the archive")

LEADER = Gauge("wordyard_scheduler_leader", "1 in the copy that sets timers")
FOLLOW_LAG = Gauge("wordyard_scheduler_lag_records", "Records of the log whose timers are not yet set")
TIMERS_SET = Counter("wordyard_timers_set_total", "Timers set or replaced")
TIMERS_RUNG = Counter("wordyard_timers_rung_total", "Timers that rang, by outcome", ("outcome",))
WOKEN_TOGETHER = Counter("wordyard_games_woken_together_total", "Games that were woken many at a time")
WAKE = Histogram("wordyard_wake_seconds", "From the ring of a timer until its game has answered", buckets=_FAST)
OVERDUE = Gauge("wordyard_games_overdue", "Games that the last sweep found past their time")

MAILS = Counter("wordyard_mails_total", "Mails by outcome: sent, kept, failed, late, unwanted, retried", ("outcome",))
PUSHES = Counter(
    "wordyard_pushes_total", "Push messages by outcome: sent, gone, failed, late, unwanted, retried", ("outcome",)
)
NOTICES = Counter(
    "wordyard_notices_total",
    "Notices by occasion and outcome: queued, unwanted, late, or again for those that were queued before",
    ("occasion", "outcome"),
)
NOTICES_LEADER = Gauge("wordyard_notices_leader", "1 in the copy that looks for notices")
NOTICES_LAG = Gauge("wordyard_notices_lag_records", "Records of the log that were not looked at for notices")

BOARDS = Counter(
    "wordyard_solver_boards_total", "Boards answered, by whether the answer was kept: hit or miss", ("cache",)
)
SOLVER_SECONDS = Histogram(
    "wordyard_solver_seconds", "A question to a solver, from receipt to answer", ("endpoint",), buckets=_FAST
)
SOLVER_QUEUE = Gauge("wordyard_solver_queue", "Boards that are being worked on or wait")
SOLVER_BUSY = Counter("wordyard_solver_busy_total", "Questions turned away because too many waited")
SOLVER_AGAIN = Counter(
    "wordyard_solver_asked_again_total", "Questions that the api asked again, by why: silence, busy, nobody", ("why",)
)
