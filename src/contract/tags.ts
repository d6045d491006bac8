/** The groups of the documents, in their order. */
export const tags = {
  Identity: 'Registering with a verified phone, logging in and out.',
  Pricing: 'The exchange rate, the recharge limits and the price of each billable operation.',
  Account: 'Who is signed in, what they own and what they can spend.',
  Keys: 'API keys for the business operations. The plaintext of a key is shown once.',
  Recharge: 'Buying prepaid credits. Payment is simulated, for local acceptance only.',
  Models: 'Asking a model.',
  Shopping: 'Searching the shops.',
  Pick: 'Searching, filtering, comparing, ranking and reviewing items, and links to them.',
  Agent: 'One tool call on behalf of an agent.',
  Documentation: 'This contract, in three forms.',
  Overview: 'Where a project stands.',
  Usage: 'Every billable call of the project and what became of its price.',
  Ledger: 'Every movement of credits, with the balance after it.',
  Resources: 'Orders, keys and the providers that a call may name.',
  'Sign-ins': 'Where the account is signed in.',
} as const

export type Tag = keyof typeof tags
