import { examples } from '../../contract/examples.ts'
import type { CreatedNamedKey, NamedKey, UsedKeyList } from './contract.ts'

const settings = {
  name: 'Production',
  budget: { credits: 500, per: 'day' },
  allowedAddresses: ['203.0.113.0/24', '2001:db8::/32'],
} as const satisfies Partial<NamedKey>

const keySettings = { ...settings, allowedAddresses: [...settings.allowedAddresses] }

const { apiKey: _, ...createdKey } = examples.createdKey
export const named: NamedKey = { ...createdKey, ...keySettings, createdAt: examples.key.createdAt }

export const created: CreatedNamedKey = { ...examples.createdKey, ...keySettings, createdAt: examples.key.createdAt }

export const keys: UsedKeyList = {
  items: [
    {
      ...examples.key,
      ...keySettings,
      budgetSpent: 6,
      budgetResetsAt: '2026-09-04T00:00:00.000Z',
      calls: 2,
      lastUsedAt: '2026-09-03T08:12:00.000Z',
      lastUsedFrom: '203.0.113.x',
    },
  ],
  maxActive: 50,
}
