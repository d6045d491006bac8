import type { Key } from '../../api/types.ts'
import { dayAt } from '../../format/calendar.ts'

/** The settings of a key as they are typed. */
export interface KeyDraft {
  readonly name: string
  readonly credits: string
  readonly per: NonNullable<Key['budget']>['per']
  /** The last day on which the key is valid, in Beijing time; empty for no end. */
  readonly lastDay: string
  /** One address or range a line. */
  readonly addresses: string
}

export const newDraft = (name: string): KeyDraft => ({ name, credits: '', per: 'month', lastDay: '', addresses: '' })

export const draftOf = ({ name, budget, expiresAt, allowedAddresses }: Key): KeyDraft => ({
  name: name ?? '',
  credits: budget ? String(budget.credits) : '',
  per: budget?.per ?? 'month',
  lastDay: expiresAt ? dayAt(Date.parse(expiresAt)) : '',
  addresses: (allowedAddresses ?? []).join('\n'),
})

/** Faults are left for the gateway to find: it says which field is wrong. */
export function settingsIn({ name, credits, per, lastDay, addresses }: KeyDraft) {
  const entries = addresses.split(/[\s,，]+/).filter((entry) => entry !== '')
  return {
    name: name.trim(),
    budget: credits.trim() === '' ? null : { credits: Number(credits), per },
    expiresAt: lastDay === '' ? null : `${lastDay}T23:59:59+08:00`,
    allowedAddresses: entries.length === 0 ? null : entries,
  }
}

/** Only what was changed: a time is kept to the second unless another day was chosen. */
export function changesIn(draft: KeyDraft, key: Key) {
  const before = draftOf(key)
  const { name, budget, expiresAt, allowedAddresses } = settingsIn(draft)
  return {
    ...(draft.name !== before.name && { name: name === '' ? null : name }),
    ...((draft.credits !== before.credits || (budget && draft.per !== before.per)) && { budget }),
    ...(draft.lastDay !== before.lastDay && { expiresAt }),
    ...(draft.addresses !== before.addresses && { allowedAddresses }),
  }
}
