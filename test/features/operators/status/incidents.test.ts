import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, origin, startGateway, TestClock } from '../../../../testkit/gateway/gateway.ts'
import { expectOperated, type OperatorBrowser, signedInOperator } from '../../../../testkit/gateway/operator-browser.ts'
import { runCommand } from '../../../../testkit/gateway/run-command.ts'
import { engines } from '../../../../testkit/store/engines.ts'

const texts = { zh: '模型 <对话> 响应变慢', en: 'Model chat & more is slow' }

describe.each(engines)('incidents on %s', (engine) => {
  const clock = new TestClock()
  let gateway: Gateway
  let support: OperatorBrowser
  beforeAll(async () => {
    gateway = await startGateway({ engine, clock: clock.read })
    support = await signedInOperator(gateway, 'mei', 'support', clock.read)
  })
  afterAll(() => gateway.stop())

  const command = async (...argv: string[]) => {
    const { exitCode, stdout } = await runCommand(gateway.database, [...argv, '--json'], { clock: clock.read })
    return { exitCode, shown: JSON.parse(stdout) }
  }
  const shown = async () => (await gateway.send('GET', '/status.json')).body
  const add = (body: object) => support.post('/api/incidents', { ...texts, ...body })

  test('an incident is public at once until it has ended, and the audit log has both', async () => {
    expect(await shown()).toMatchObject({ state: 'ok', fewestCalls: 20, incidents: [] })
    const added = await add({})
    expectOperated('operator.incidents.add', added)
    const { incidentId, addedBy, ...open } = added.body
    expect([open, addedBy]).toEqual([
      { ...texts, state: 'open', from: new Date(clock.now).toISOString(), to: null },
      'mei',
    ])
    expect(await shown()).toMatchObject({ state: 'incident', incidents: [{ incidentId, ...open }] })
    expect(JSON.stringify(await shown())).not.toContain('mei')
    clock.advanceSeconds(600)
    const ended = await support.post(`/api/incidents/${incidentId}/end`)
    expectOperated('operator.incidents.end', ended)
    expect(ended.body).toMatchObject({ state: 'ended', to: new Date(clock.now).toISOString() })
    expect(await shown()).toMatchObject({ state: 'ok', incidents: [{ incidentId, state: 'ended' }] })
    const again = await support.post(`/api/incidents/${incidentId}/end`)
    expect([again.status, again.body.error.code]).toEqual([409, 'INCIDENT_ENDED'])
    const { items } = (await support.get(`/api/audit?object=${incidentId}&order=oldest`)).body
    expect(items).toMatchObject([
      { action: 'incident.add', by: 'mei', reason: texts.en, before: null, after: { state: 'open' } },
      { action: 'incident.end', by: 'mei', before: { state: 'open' }, after: { state: 'ended' } },
    ])
  })

  test('the feed is RSS 2.0 in both languages, and an incident that ends is a new item', async () => {
    const { text, headers } = await gateway.send('GET', '/status.rss')
    expect(headers['content-type']).toBe('application/rss+xml; charset=utf-8')
    expect(text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<rss version="2.0"/)
    expect(text).toContain(`<atom:link href="${origin}/status.rss" rel="self" type="application/rss+xml"/>`)
    expect(text).toMatch(/<guid isPermaLink="false">inc_\w+-ended<\/guid>/)
    expect(text).toMatch(/<pubDate>Thu, 03 Sep 2026 08:\d\d:\d\d GMT<\/pubDate>/)
    expect(text).toContain('模型 &lt;对话&gt; 响应变慢 / Model chat &amp; more is slow</title>')
    expect(text).toContain('&lt;p&gt;Model chat &amp;amp; more is slow&lt;/p&gt;')
    for (const tag of ['title', 'link', 'description']) expect(text).toMatch(new RegExp(`<${tag}>[^<]+</${tag}>`))
  })

  test('planned maintenance is listed before what has ended, opens by itself and can be called off', async () => {
    const from = new Date(clock.now + 600_000).toISOString()
    const to = new Date(clock.now + 1_200_000).toISOString()
    const { incidentId } = (await add({ from, to })).body
    const { incidentId: other } = (await add({ from })).body
    expect(await shown()).toMatchObject({
      state: 'ok',
      incidents: [{ incidentId: other, state: 'planned' }, { incidentId, state: 'planned' }, { state: 'ended' }],
    })
    const calledOff = await support.post(`/api/incidents/${other}/end`)
    expect(calledOff.body).toMatchObject({ state: 'ended', from: calledOff.body.to })
    clock.advanceSeconds(600)
    const listed = await support.get('/api/incidents')
    expectOperated('operator.incidents.list', listed)
    expect(listed.body.items[0]).toMatchObject({ incidentId, state: 'open', to })
    clock.advanceSeconds(600)
    const { body } = await support.get('/api/incidents')
    expect(body.items.map(({ state }: { state: string }) => state)).toEqual(['ended', 'ended', 'ended'])
  })

  test.each([
    [{ zh: ' ' }, 'INCIDENT_TEXT_INVALID'],
    [{ en: 'two\nlines' }, 'INCIDENT_TEXT_INVALID'],
    [{ zh: 'x'.repeat(501) }, 'INCIDENT_TEXT_INVALID'],
    [{ from: 'yesterday' }, 'INCIDENT_TIME_INVALID'],
    [{ from: '2026-02-45T00:00:00Z' }, 'INCIDENT_TIME_INVALID'],
    [{ from: '1999-01-01T00:00:00Z' }, 'INCIDENT_TIME_INVALID'],
    [{ from: '2026-09-03T08:00:00Z', to: '2026-09-03T07:00:00Z' }, 'INCIDENT_TIME_INVALID'],
    [{ note: 'x' }, 'UNKNOWN_FIELDS'],
  ])('%j is refused with %s', async (wrong, code) => {
    const refused = await add(wrong)
    expect([refused.status, refused.body.error.code]).toEqual([400, code])
  })

  test('viewers may not write incidents, and two who end one at once end it once', async () => {
    const viewer = await signedInOperator(gateway, 'kim', 'viewer', clock.read)
    expect((await viewer.post('/api/incidents', texts)).body.error.code).toBe('ROLE_NOT_ALLOWED')
    const { incidentId } = (await add({})).body
    const ends = await Promise.all([1, 2, 3].map(() => support.post(`/api/incidents/${incidentId}/end`)))
    expect(ends.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect((await support.post('/api/incidents/inc_0/end')).body.error.code).toBe('INCIDENT_NOT_FOUND')
  })

  test('an edited incident is public at once, and the audit log keeps what it said before', async () => {
    const { incidentId, from } = (await add({})).body
    const to = new Date(clock.now + 600_000).toISOString()
    const edited = await support.post(`/api/incidents/${incidentId}/edit`, { en: 'Model chat works again', to })
    expectOperated('operator.incidents.edit', edited)
    const after = { zh: texts.zh, en: 'Model chat works again', from, to }
    expect(edited.body).toMatchObject({ incidentId, state: 'open', ...after })
    expect((await shown()).incidents[0]).toMatchObject({ incidentId, ...after })
    const { items } = (await support.get(`/api/audit?object=${incidentId}`)).body
    expect(items[0]).toMatchObject({ action: 'incident.edit', by: 'mei', before: texts, after })
    const wrong = [{ to: '2026-09-03T07:00:00Z' }, { en: 'two\nlines' }]
    const refused = await Promise.all(wrong.map((body) => support.post(`/api/incidents/${incidentId}/edit`, body)))
    expect(refused.map(({ body }) => body.error.code)).toEqual(['INCIDENT_TIME_INVALID', 'INCIDENT_TEXT_INVALID'])
    expect((await support.post('/api/incidents/inc_0/edit', {})).body.error.code).toBe('INCIDENT_NOT_FOUND')
    await support.post(`/api/incidents/${incidentId}/end`)
  })

  test('the commands add, list and end an incident', async () => {
    const added = await command('incidents', 'add', '--zh', '计划维护', '--en', 'Maintenance', '--by', 'ada')
    expect(added).toMatchObject({ exitCode: 0, shown: { zh: '计划维护', en: 'Maintenance', state: 'open' } })
    const { incidentId } = added.shown
    const listed = await command('incidents', 'list')
    expect(listed.shown.items[0]).toMatchObject({ incidentId, state: 'open', addedBy: 'ada' })
    const edited = await command('incidents', 'edit', incidentId, '--en', 'Longer maintenance', '--by', 'ada')
    expect(edited).toMatchObject({ exitCode: 0, shown: { incidentId, zh: '计划维护', en: 'Longer maintenance' } })
    const ended = await command('incidents', 'end', incidentId, '--by', 'ada')
    expect(ended).toMatchObject({ exitCode: 0, shown: { incidentId, state: 'ended' } })
    expect(await command('incidents', 'end', incidentId)).toMatchObject({ exitCode: 1 })
    const said = await runCommand(gateway.database, ['incidents', 'add', '--zh', '维护', '--en', 'Maintenance'], {
      clock: clock.read,
    })
    expect(said.stdout).toMatch(/^inc_\w+ is open, and public within a minute\.\n$/)
  })
})
