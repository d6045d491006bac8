import { describe, expect, test } from 'vitest'
import { Browser, newPhone } from '../../../../../testkit/gateway/browser.ts'
import { origin, startGateway, testSecret } from '../../../../../testkit/gateway/gateway.ts'
import { runCommand } from '../../../../../testkit/gateway/run-command.ts'
import { httpEngines } from '../../../../../testkit/store/engines.ts'
import { later } from '../../../../ops/run-doctor.ts'

const environment = { GATEWAY_SECRET: testSecret }

describe.each(httpEngines)('an operator who starts a password recovery on %s', (engine) => {
  test('an operator who starts a password recovery sends a code to the phone of the account, sees none of it, and leaves an audit entry', async () => {
    const gateway = await startGateway({ engine })
    later(() => gateway.stop())
    const browser = new Browser(gateway)
    const phone = newPhone()
    const { accountId } = (await browser.register(phone)).body.account
    const recover = () =>
      runCommand(gateway.database, ['accounts', 'recover', accountId, '--reason', 'ticket 7', '--json'], {
        environment,
      })
    const ran = await recover()
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
    const { recovery } = JSON.parse(ran.stdout)
    const challengeId = new URLSearchParams(new URL(recovery.link).hash.slice(1)).get('challenge')
    expect(recovery.link).toBe(`${origin}/console/recover#challenge=${challengeId}`)
    expect(Date.parse(recovery.expiresAt)).toBeGreaterThan(Date.now())

    await expect.poll(() => gateway.messages.filter(({ kind }) => kind === 'recovery').length).toBe(1)
    const sent = gateway.messages.find(({ kind }) => kind === 'recovery') as unknown as Record<string, string>
    expect(sent.phone).toBe(phone)
    expect(ran.stdout).not.toContain(sent.code)
    const confirmed = await browser.post('/v1/auth/recovery/confirm', {
      challengeId,
      verificationCode: sent.code,
      newPassword: 'another horse battery staple',
    })
    expect(confirmed).toMatchObject({ status: 200, body: { state: 'password_changed' } })

    const again = await recover()
    expect(again.exitCode).toBe(1)
    expect(JSON.parse(again.stdout).error).toMatchObject({ code: 'RECOVERY_UNAVAILABLE' })
    const { items } = JSON.parse((await runCommand(gateway.database, ['audit', 'list', '--json'])).stdout)
    expect(items).toMatchObject([{ action: 'account.recover', object: accountId, reason: 'ticket 7' }])
  })
})
