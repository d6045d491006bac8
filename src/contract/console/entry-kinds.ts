/** How an entry moves credits. Apart from the schemas, because the console's pages need this alone. */
export const entryKinds = ['credit', 'reserve', 'settle', 'release', 'review', 'grant', 'withdraw'] as const
