-- Whose notice a mail is, so that it can be seen before it is sent whether they still want to hear of it; none for others.
alter table mails add player text;
