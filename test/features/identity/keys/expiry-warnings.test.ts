import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createExpiryWarnings, nextExpiryWarning } from '../../../../src/features/identity/keys/keys.ts'
import type { ProjectEvent } from '../../../../src/ledger/events.ts'
import { freshStore, httpEngines } from '../../../../testkit/store/engines.ts'
import { createCustomer, createRig, type Rig } from '../../../../testkit/store/rig.ts'

const day = 86_400_000
const start = Date.UTC(2026, 8, 3, 8)

describe('the next warning of an expiry', () => {
  it.each([
    { left: null, next: null },
    { left: 30 * day, next: 23 * day },
    { left: 7 * day + 1, next: 1 },
    { left: 7 * day, next: 6 * day },
    { left: 3 * day, next: 2 * day },
    { left: day, next: null },
    { left: -day, next: null },
  ])('the next warning with $left ms left is in $next ms', ({ left, next }) => {
    expect(nextExpiryWarning(left && start + left, start)).toBe(next && start + next)
  })
})

describe.each(httpEngines)('warnings of expiring keys on %s', (engine) => {
  let opened: Awaited<ReturnType<typeof freshStore>>
  let rig: Rig
  let now = start
  let warn: (limit: number) => Promise<number>
  beforeAll(async () => {
    opened = await freshStore(engine)
    rig = createRig(opened.store, { clock: () => now })
    warn = createExpiryWarnings({ store: rig.stores.keys, clock: () => now })
  })
  afterAll(() => opened.remove())

  let requests = 0
  const request = () => ({ idempotencyDigest: `request ${++requests}`, requestDigest: 'digest' })

  async function keyExpiringIn(days: number) {
    const { projectId } = await createCustomer(rig)
    const expiresAt = new Date(now + days * day).toISOString()
    const settings = { name: 'A key', scopes: ['models:invoke' as const], expiresAt }
    const { key } = await rig.namedKeys.create(projectId, settings, request())
    return { projectId, keyId: key.keyId, expiresAt }
  }
  const warnings = async (projectId: string) =>
    (await rig.stores.events.list(projectId, null, 100))
      .filter((event): event is Extract<ProjectEvent, { type: 'key.expiring' }> => event.type === 'key.expiring')
      .map(({ data }) => data.daysLeft)
      .reverse()
  /** Three instances scan at once. */
  const scan = () => Promise.all([warn(100), warn(100), warn(100)])

  it('warnings of expiring keys are given 7 days and 1 day before, once each, by whichever instance', async () => {
    const { projectId, keyId, expiresAt } = await keyExpiringIn(30)
    const given = async (at: number) => {
      now = at
      await scan()
      return warnings(projectId)
    }
    const end = Date.parse(expiresAt)
    expect(await given(end - 7 * day - 1)).toEqual([])
    expect(await given(end - 7 * day)).toEqual([7])
    expect(await given(end - 2 * day)).toEqual([7])
    expect(await given(end - day)).toEqual([7, 1])
    expect(await given(end + day)).toEqual([7, 1])
    const [event] = await rig.stores.events.list(projectId, null, 1)
    expect(event).toMatchObject({ type: 'key.expiring', projectId, at: end - day, data: { keyId, expiresAt } })
  })

  it('warnings of expiring keys are given again for another expiry, but not for another name', async () => {
    const { projectId, keyId } = await keyExpiringIn(7.5)
    now += day
    await scan()
    expect(await warnings(projectId)).toEqual([7])
    await rig.namedKeys.update(projectId, keyId, { name: 'Another name' })
    await scan()
    expect(await warnings(projectId)).toEqual([7])
    await rig.namedKeys.update(projectId, keyId, { expiresAt: new Date(now + 8 * day).toISOString() })
    now += day
    await scan()
    expect(await warnings(projectId)).toEqual([7, 7])
  })

  it('a change of the name keeps a warning that is due', async () => {
    const { projectId, keyId } = await keyExpiringIn(7.5)
    now += day
    await rig.namedKeys.update(projectId, keyId, { name: 'Another name' })
    await scan()
    expect(await warnings(projectId)).toEqual([7])
  })

  it('warnings of expiring keys are not given for a revoked key, nor for moments before the expiry was set', async () => {
    const revoked = await keyExpiringIn(8)
    const brief = await keyExpiringIn(3)
    await rig.keys.revoke(revoked.projectId, revoked.keyId)
    now += 2 * day
    await scan()
    expect(await warnings(revoked.projectId)).toEqual([])
    expect(await warnings(brief.projectId)).toEqual([1])
  })

  it('a rotated key is warned of 1 day before its grace period ends', async () => {
    const { projectId } = await createCustomer(rig)
    const settings = { name: 'A key', scopes: ['models:invoke' as const] }
    const { key } = await rig.namedKeys.create(projectId, settings, request())
    await rig.namedKeys.rotate(projectId, { keyId: key.keyId, graceSeconds: 2 * 86_400 }, request())
    now += day
    await scan()
    expect(await warnings(projectId)).toEqual([1])
  })
})
