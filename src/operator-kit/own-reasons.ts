/** Reasons that the gateway itself writes into the audit log. The console says them in its own language. */
export const ownReasons = {
  wrongCodes: 'five wrong one-time codes in a row',
  ownPassword: 'own password',
  ownCodes: 'own one-time codes',
  fromConsole: 'started from the console',
  none: 'none given',
  byPassword: 'password',
  byPasswordAndCode: 'password and one-time code',
  byLink: 'one-time sign-in link',
  unknownName: 'unknown name',
  wrongPassword: 'wrong password',
  disabled: 'disabled',
  notApproved: 'not yet approved',
  locked: 'locked',
  noCode: 'no one-time code',
  wrongCode: 'wrong or used one-time code',
  changedSince: 'used one-time code, or changed meanwhile',
  invalidLink: 'invalid sign-in link',
} as const

export type OwnReason = (typeof ownReasons)[keyof typeof ownReasons]

/** Why an action was refused. */
export const roleReason = (role: string, operationId: string): string => `the role ${role} may not do ${operationId}`

/** The role and the operation of such a reason; null if it is another one. */
export function roleReasonParts(reason: string): { readonly role: string; readonly operationId: string } | null {
  const [, role, operationId] = /^the role ([a-z]+) may not do ([a-z_.]+)$/.exec(reason) ?? []
  return role && operationId ? { role, operationId } : null
}
