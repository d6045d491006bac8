import { createHmac } from 'node:crypto'
import type { IdentityProvider } from '../../identity/ports.ts'

/** Stands in for the identity system: a phone always has the same subject. */
export function createLocalIdentityProvider(secret: string): IdentityProvider {
  return {
    subjectOf: async (phone) =>
      `idp_${createHmac('sha256', secret).update(`subject\n${phone}`).digest('hex').slice(0, 32)}`,
  }
}
