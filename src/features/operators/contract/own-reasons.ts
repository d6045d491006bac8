/** Reasons that the gateway itself writes into the audit log. The console says them in its own language. */
export const ownReasons = {
  wrongCodes: 'five wrong one-time codes in a row',
  ownPassword: 'own password',
  ownCodes: 'own one-time codes',
  fromConsole: 'started from the console',
  none: 'none given',
} as const
