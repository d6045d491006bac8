import { isoOf } from '../../../base/time.ts'
import { type Actor, noteOf } from '../../../operator-kit/actor.ts'
import type { Acting } from '../deps.ts'
import { mostFrequent } from '../overview/activity.ts'
import type { ProviderSwitch } from '../store.ts'
import type { FailingProvider, ProviderState } from './contract.ts'

/** What this module needs of a provider; the operations know more. */
export interface SwitchableProvider {
  readonly kind: ProviderState['kind']
  readonly name: string
  readonly adapter: string
  readonly maxConcurrent: number | null
  readonly breakerState: () => ProviderState['breaker']
  readonly watch: {
    isOut: boolean
    readonly underWay: number
    readonly recent: () => {
      readonly kinds: Pick<ProviderState['outcomes'], 'confirmed' | 'refused' | 'unavailable' | 'uncertain'>
      readonly failed: number
      readonly codes: ReadonlyMap<string, number>
    }
  }
}

export interface ProviderStatesDeps {
  readonly providers: readonly SwitchableProvider[]
  readonly readSwitches: () => Promise<readonly ProviderSwitch[]>
  readonly minutes: number
}

/** The providers of this instance, with the switches that all instances share. */
export function createProviderStates({ providers, readSwitches, minutes }: ProviderStatesDeps) {
  let switches = new Map<string, ProviderSwitch>()

  function apply(rows: readonly ProviderSwitch[]): void {
    switches = new Map(rows.map((row) => [row.provider, row]))
    for (const provider of providers) provider.watch.isOut = switches.get(keyOf(provider))?.isOut ?? false
  }

  const isInService = ({ adapter, watch }: SwitchableProvider) => adapter !== 'disabled' && !watch.isOut

  function stateOf(provider: SwitchableProvider): ProviderState {
    const row = switches.get(keyOf(provider))
    const { kinds, codes } = provider.watch.recent()
    return {
      kind: provider.kind,
      name: provider.name,
      adapter: provider.adapter,
      state: provider.adapter === 'disabled' ? 'disabled' : provider.watch.isOut ? 'out_of_service' : 'in_service',
      changedBy: row?.changedBy ?? null,
      changedAt: row ? isoOf(row.changedAt) : null,
      isFailing: isInService(provider) && isFailing(recentCalls(provider)),
      breaker: provider.breakerState(),
      underWay: provider.watch.underWay,
      maxConcurrent: provider.maxConcurrent,
      outcomes: { minutes, ...kinds, codes: mostFrequent(codes, 20) },
    }
  }

  return {
    list: () => providers.map(stateOf),
    /** Those in service of whose calls at least half failed. */
    failing: (): FailingProvider[] =>
      providers.filter(isInService).flatMap((provider) => {
        const calls = recentCalls(provider)
        return isFailing(calls) ? [{ kind: provider.kind, name: provider.name, ...calls }] : []
      }),
    find(kind: string, name: string): ProviderState | undefined {
      const provider = providers.find((one) => one.kind === kind && one.name === name)
      return provider && stateOf(provider)
    },
    apply,
    /** Reads what any instance switched. */
    refresh: async () => apply(await readSwitches()),
  }
}

type RecentCalls = Pick<FailingProvider, 'calls' | 'failed'>

/** Without the calls that were refused for what the caller sent. */
function recentCalls({ watch }: SwitchableProvider): RecentCalls {
  const { kinds, failed } = watch.recent()
  return { calls: kinds.confirmed + failed, failed }
}

const isFailing = ({ calls, failed }: RecentCalls): boolean => failed > 0 && failed * 2 >= calls

export type ProviderStates = ReturnType<typeof createProviderStates>

export const keyOf = ({ kind, name }: Pick<SwitchableProvider, 'kind' | 'name'>): string => `${kind}/${name}`

export interface ProviderAction {
  /** Kind and name, such as `model/model_provider_a`. */
  readonly provider: string
  readonly isOut: boolean
  readonly reason: string
}

/** Takes a provider out of service on all instances, or puts it back. Doing so twice changes nothing. */
export async function switchProvider(
  { store, clock }: Acting,
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
