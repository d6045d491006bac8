/** The paths of the operator's console below its root: the listener serves the application at each. */
export const operatorPages = [
  'sign-in',
  'accounts',
  'projects',
  'charges',
  'approvals',
  'payments',
  'comparisons',
  'reviews',
  'providers',
  'incidents',
  'audit',
  'reconcile',
  'settings',
  'operators',
  'me',
  'inbox',
] as const

/** So that the console has no page that the listener does not serve. */
export type OperatorPath = '/' | `/${(typeof operatorPages)[number]}${'' | `/:${string}`}`
