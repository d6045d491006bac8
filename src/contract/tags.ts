/** The sections of the documents, in order. */
export const tags = {
  Identity: 'Registering with a verified phone, logging in and out.',
  Pricing: 'The exchange rate, the recharge limits and the price of each billable operation.',
  Account: 'The signed-in account, its project, credits, orders and keys.',
  Keys: 'API keys for the business operations. The plaintext of a key is shown once.',
  Recharge: 'Buying prepaid credits. Payment is simulated, for local acceptance only.',
  Models: 'Asking a model a question.',
  Shopping: 'Searching the shops.',
  Pick: 'Searching, filtering, comparing, ranking and reviewing items, and links to them.',
  Agent: 'One tool call on behalf of an agent.',
  Media: 'Paid work that takes minutes: create a job, read it, fetch its clip.',
  Documentation: 'This contract in three formats.',
  Overview: 'The state of a project at a glance.',
  Usage: 'Every billable call of the project and what became of its price.',
  Ledger: 'Every movement of credits, with the balance after it.',
  Resources: 'Orders, keys and the providers that a call may name.',
  Alerts: 'Which events of the project are sent by email or SMS.',
  Events: 'What happened to the project, the newest first.',
  'Sign-ins': 'Where the account is signed in.',
  'Account security': 'The recovery email, the password, and how to get back in without it.',
} as const

export type Tag = keyof typeof tags
