"""Whether what was queued may still be sent: much can have happened between the people concerned since."""

UNWANTED = """
select 1 from players where id = any({people}) and gone_at is not null
union all select 1 from moderation.players where player = any({people}) and closed
union all select 1 from blocks where player = any({people}) and blocked = any({people})
"""
"""SQL: rows if one of these people (an array of ids and nulls) is deleted or closed, or has blocked another one."""
