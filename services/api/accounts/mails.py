"""The texts of our mails, and how one is put where the worker finds it."""

from collections.abc import Sequence
from datetime import datetime

from libs.core.messages import PlayerId
from libs.runtime import ids, tasks
from services.api.database import Connection

SIGN_IN = """\
Hello!

Open this link to sign in to Wordyard, and press the button on its page:

{url}

It works once, within 15 minutes. If you did not ask for it, forget this mail: nothing happens without the link.
"""

INVITE = """\
Hello!

{name} has picked a word for you to find, and wants one from you in return: six guesses each, until midnight Eastern.

{url}

The invite is open until {until}. You can play as a guest, without an account.
"""

_PUT = """
insert into mails (id, recipient, subject, body, dedupe, made_at, names) values (%s, %s, %s, %s, %s, %s, %s)
on conflict (dedupe) do nothing returning id
"""
_IS_FOR = "select exists (select 1 from mails where dedupe = %s and recipient in (%s, ''))"


async def send(
    connection: Connection,
    now: datetime,
    *,
    recipient: str,
    subject: str,
    body: str,
    dedupe: str | None = None,
    names: Sequence[PlayerId] = (),
) -> bool:
    """Have a mail sent if this transaction succeeds; not if there is one about the same thing (`dedupe`) already.

    `names`: the players whose names it holds; it goes when one of them is deleted.
    """
    mail = ids.new_id()
    put = await connection.execute(_PUT, (mail, recipient, subject, body, dedupe, now, list(names)))
    if await put.fetchone() is None:
        return False
    await tasks.send_mail(connection, mail)
    return True


async def is_for(connection: Connection, dedupe: str, recipient: str) -> bool:
    """Did the mail about this thing go to this address, as far as that is still known?"""
    found = await (await connection.execute(_IS_FOR, (dedupe, recipient))).fetchone()
    return bool(found and found[0])
