/** The paths of the operator's console below its root: the listener serves the application at each, and its router knows them. */
export const operatorPages = [
  'sign-in',
  'accounts',
  'projects',
  'approvals',
  'payments',
  'comparisons',
  'reviews',
  'providers',
  'audit',
  'reconcile',
  'settings',
  'operators',
  'me',
] as const
