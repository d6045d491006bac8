/** Each role may do everything that the ones before it may. */
export const operatorRoles = ['viewer', 'support', 'treasurer', 'admin'] as const
export type OperatorRole = (typeof operatorRoles)[number]

/** The lowest role that may do it. Everybody who is signed in may read. */
export const permissions = {
  /** Suspend, reinstate, sign out, start a recovery. */
  accounts: 'support',
  keys: 'support',
  reviews: 'support',
  providers: 'support',
  incidents: 'support',
  reconcile: 'support',
  credits: 'treasurer',
  approvals: 'treasurer',
  operators: 'admin',
} as const satisfies Record<string, OperatorRole>
export type Permission = keyof typeof permissions

export const permits = (role: OperatorRole, permission: Permission): boolean =>
  operatorRoles.indexOf(role) >= operatorRoles.indexOf(permissions[permission])

/** The administrator of a loopback origin, who signs in with a link and has no password. No operator's name has a space. */
export const localAdministrator = 'local admin'
