import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operatorOperations } from '../../../src/app/features.ts'
import { pathExampleOf, requestExampleOf } from '../../../src/contract/sample.ts'
import { operatorRoles, permissions } from '../../../src/operator-kit/roles.ts'
import type { Gateway } from '../../../testkit/gateway/gateway.ts'
import {
  expectInOperatorContract,
  OperatorBrowser,
  signedInOperator,
} from '../../../testkit/gateway/operator-browser.ts'
import { sharedGateway } from '../../../testkit/gateway/shared-gateway.ts'

/** Those that end the session or change what it is proved with have tests of their own. */
const own = ['operator.sign_out', 'operator.password', 'operator.totp']
const guarded = operatorOperations.filter(({ access, id }) => access.startsWith('session') && !own.includes(id))

describe.each(operatorRoles)('the role %s', (role) => {
  let gateway: Gateway
  let browser: OperatorBrowser
  beforeAll(async () => {
    gateway = await sharedGateway()
    browser = await signedInOperator(gateway, `the-${role}`, role)
  })
  afterAll(() => gateway.stop())

  const refusals = async () => {
    const { items } = (await browser.get(`/api/audit?action=operator.refused&by=the-${role}`)).body
    return items as { object: string; reason: string }[]
  }

  test.each(guarded.map((operation) => [operation.id, operation] as const))('at %s', async (id, operation) => {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      pathExampleOf(operation.pathParameters![name]!),
    )
    const send = (who: OperatorBrowser) =>
      operation.method === 'GET' ? who.get(path) : who.post(path, requestExampleOf(operation) as object)
    const stranger = await send(new OperatorBrowser(gateway))
    expect(stranger).toMatchObject({ status: 401, body: { error: { code: 'GATEWAY_AUTH_REQUIRED' } } })
    expectInOperatorContract(id, stranger)

    const before = (await refusals()).length
    const response = await send(browser)
    expectInOperatorContract(id, response)
    const { permission } = operation
    const isAllowed =
      permission === null || operatorRoles.indexOf(role) >= operatorRoles.indexOf(permissions[permission])
    expect(response.body?.error?.code === 'ROLE_NOT_ALLOWED').toBe(!isAllowed)
    const [latest, ...others] = await refusals()
    expect(others.length + (latest ? 1 : 0)).toBe(before + (isAllowed ? 0 : 1))
    if (!isAllowed) expect(latest!.reason).toBe(`the role ${role} may not do ${id}`)
  })
})

test('the roles are those of the specification', () => {
  expect(operatorRoles).toEqual(['viewer', 'support', 'treasurer', 'admin'])
  expect(permissions).toMatchObject({
    reviews: 'support',
    accounts: 'support',
    keys: 'support',
    credits: 'treasurer',
    operators: 'admin',
  })
})
