/** How long a page waits for a response. */
export const waitMs = 20_000
