export interface RecentKeys {
  /** The project of a key that was valid when it was last used. */
  projectOf(token: string): string | undefined
  remember(token: string, projectId: string): void
  forget(token: string): void
}

/** Half of a key: too long to guess, no use as a key, and cheaper than a digest. */
const tokenLength = 22

/** What stands for the key of an Authorization header; undefined if there cannot be one in it. */
export const keyTokenOf = (authorization: string): string | undefined =>
  authorization.length >= 2 * tokenLength ? authorization.slice(-tokenLength) : undefined

/** Remembers keys after they were found to be valid, so that no stranger can fill it. */
export function createRecentKeys(maxKeys = 10_000): RecentKeys {
  const projects = new Map<string, string>()
  return {
    projectOf: (token) => projects.get(token),
    remember(token, projectId) {
      if (projects.get(token) === projectId) return
      if (projects.size >= maxKeys) projects.delete(projects.keys().next().value!)
      // Copied, because a slice would keep the whole key in memory.
      projects.set(Buffer.from(token, 'latin1').toString('latin1'), projectId)
    },
    forget: (token) => void projects.delete(token),
  }
}
