import { createHmac } from 'node:crypto'
import type { IdentityProvider } from '../../identity/ports.ts'

/** The local stand-in for the identity system: one phone has one subject, for ever. */
export function createLocalIdentityProvider(secret: string): IdentityProvider {
  return {
    subjectOf: async (phone) =>
      `idp_${createHmac('sha256', secret).update(`subject\n${phone}`).digest('hex').slice(0, 32)}`,
  }
}
