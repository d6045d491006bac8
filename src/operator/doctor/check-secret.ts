import type { OutdatedCounts } from '../../secrets/rotate.ts'
import { SecretMissing, SecretUnusable } from '../../secrets/secret-file.ts'
import { type Finding, findingsOf } from './finding.ts'

/** Checks that the store was written with the configured secret, and whether a rotation is unfinished. */
export async function checkStoreSecret(read: () => Promise<OutdatedCounts>): Promise<Finding[]> {
  const { ok, warning, failure } = findingsOf('secret')
  try {
    const { outdated, unsealed } = await read()
    const findings = []
    if (outdated > 0)
      findings.push(warning(`${outdated} sealed values use an older secret`, 'Run: npm run gateway -- secret rotate'))
    if (unsealed > 0)
      findings.push(
        warning(
          `${unsealed} contacts have no sealed copy, so no message reaches them`,
          'Their next sign-in makes one.',
        ),
      )
    return findings.length > 0 ? findings : [ok('every sealed value uses the current secret')]
  } catch (error) {
    // The check of the data directory reports it.
    if (error instanceof SecretMissing) return []
    if (!(error instanceof SecretUnusable)) throw error
    return [failure(error.message, 'The gateway does not start like this.')]
  }
}
