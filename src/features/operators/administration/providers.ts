import { type Actor, noteOf } from './actor.ts'
import type { AdministrationDeps } from './deps.ts'
import type { ProviderSwitch } from './ports.ts'

export interface ProviderAction {
  /** Kind and name, such as `model/model_provider_a`. */
  readonly provider: string
  readonly isOut: boolean
  readonly reason: string
}

/** Takes a provider out of service on all instances, or puts it back. Doing so twice changes nothing. */
export async function switchProvider(
  { store, clock }: Pick<AdministrationDeps, 'store' | 'clock'>,
  actor: Actor,
  { provider, isOut, reason }: ProviderAction,
): Promise<readonly ProviderSwitch[]> {
  const at = clock()
  const action = isOut ? 'provider.take_out' : 'provider.put_back'
  const note = noteOf(actor, { action, object: provider, reason }, at)
  const stateOf = (out: boolean) => ({ state: out ? 'out_of_service' : 'in_service' })
  return store.write(async (tx) => {
    const before = (await tx.providerSwitches()).find((row) => row.provider === provider)?.isOut ?? false
    if (before !== isOut) {
      await tx.switchProvider({ provider, isOut, changedBy: actor.name, changedAt: at })
      await tx.audit({ ...note, at, before: stateOf(before), after: stateOf(isOut) })
    }
    return tx.providerSwitches()
  })
}
