-- Which events a payer is told of by email and SMS, separated by spaces. A project without a row has the defaults.

CREATE TABLE alert_settings (
  project_id TEXT NOT NULL PRIMARY KEY REFERENCES projects (project_id),
  email_types TEXT NOT NULL,
  sms_types TEXT NOT NULL
) STRICT, WITHOUT ROWID;
