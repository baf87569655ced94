"""What `wordyard doctor` says of the tables: do they suit this release?"""

from libs.runtime import migrating
from libs.runtime.steps import fit, release
from services.cli.findings import Finding


def tables(url: str) -> Finding:
    """Whether the tables of this database are those that this release needs, older, or of a newer release.

    Raises `psycopg.Error`.
    """
    applied = migrating.applied(url)
    found = fit(applied)
    match found.state:
        case "older":
            return Finding(name="tables", state="missing", detail=found.what, mend="wordyard prepare")
        case "gone":
            return Finding(name="tables", state="missing", detail=found.what, mend=f"a release after {release()}")
        case "newer":
            return Finding(
                name="tables", state="ok", detail=f"of a newer release, which this one can use: {found.what}"
            )
    if waiting := migrating.waiting(applied):
        detail = f"what no service needs any more is still there: {', '.join(waiting)}"
        return Finding(name="tables", state="without", detail=detail, mend="wordyard prepare --contract")
    return Finding(name="tables", state="ok", detail="as this release needs them")
