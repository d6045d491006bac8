import { randomBytes } from 'node:crypto'
import { isSameDigest, tokenDigest } from '../identity/digests.ts'

export type SignInLinks = ReturnType<typeof createSignInLinks>

const lifetimeMs = 600_000

/** One-time sign-in links of this process: each is good once and for 10 minutes. Only the newest counts. */
export function createSignInLinks(clock: () => number) {
  let link: { readonly digest: string; readonly expiresAt: number } | null = null
  return {
    create(): string {
      const token = randomBytes(32).toString('base64url')
      link = { digest: tokenDigest('operator-link', token), expiresAt: clock() + lifetimeMs }
      return token
    },
    /** True once. */
    use(token: string): boolean {
      if (!link || clock() >= link.expiresAt || !isSameDigest(link.digest, tokenDigest('operator-link', token))) {
        return false
      }
      link = null
      return true
    },
  }
}
