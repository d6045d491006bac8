/** The sections of the operator's document, in order. */
export const operatorTags = {
  Session: 'Signing in and out, and your own password and one-time codes.',
  Overview: 'What happens now: calls, credits, providers, reviews and instances.',
  Accounts: 'Accounts with their ledger, orders, keys, charges and sign-ins, and what an operator can do about them.',
  Credits: 'Grants and withdrawals, and those that wait for a second operator.',
  Reviews: 'Calls with an uncertain outcome, whose credits stay reserved until an operator decides.',
  Providers: 'Their state on this instance, and taking them out of service on all instances.',
  Audit: 'Who did what, when, on what and why.',
  Reconcile: 'Recomputing the books from their rows.',
  Settings: 'The effective configuration without secrets, and what doctor finds.',
  Operators: 'Who may sign in here.',
  Monitoring: 'Health and metrics of this instance, and this document.',
} as const

export type OperatorTag = keyof typeof operatorTags
