import type { Keyring } from '../../../src/base/keyring.ts'
import { newTotpSecret } from '../../../src/base/totp.ts'
import { totpContext } from '../../../src/features/identity/accounts/second-factor/proof.ts'
import { digestOfCode, newRecoveryCodes } from '../../../src/features/identity/accounts/second-factor/recovery-codes.ts'
import { createFactorStore } from '../../../src/features/identity/accounts/second-factor/store.ts'
import type { Engine } from '../../../src/storage/engine.ts'
import type { Payer } from '../template.ts'

export interface FactorOwner extends Payer {
  readonly totpSecret: string
  readonly recoveryCodes: readonly string[]
}

/** Gives a payer one-time codes and recovery codes. */
export async function addFactor(engine: Engine, keyring: Keyring, payer: Payer, at: number): Promise<FactorOwner> {
  const { accountId } = payer
  const totpSecret = newTotpSecret()
  const recoveryCodes = newRecoveryCodes()
  const sealed = keyring.seal(totpContext(accountId), totpSecret)
  await createFactorStore(engine, () => {}).write(async (tx) => {
    await tx.setUpTotp({ accountId, ...sealed, createdAt: at })
    await tx.confirmTotp(accountId, 0, at)
    await tx.replaceRecoveryCodes(
      accountId,
      recoveryCodes.map((code) => digestOfCode(code)!),
    )
  })
  return { ...payer, totpSecret, recoveryCodes }
}
