import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { noticeParameters, smsText } from '../../src/features/identity/messages/texts.ts'
import { DeliveryFailure, type SmsMessage } from '../../src/providers/senders.ts'
import { chooseSms, type SmsSettings } from '../../src/providers/sms/sms.ts'
import { isSigned, type SmsVendor, startSmsVendor, type VendorReply } from '../../testkit/providers/sms-vendor.ts'

const sentAt = '2026-09-03T08:00:00.123Z'
const code: SmsMessage = { kind: 'recovery', phone: '13800138000', code: '246810', challengeId: 'gvc_1', sentAt }
const notice: SmsMessage = {
  kind: 'notice',
  messageId: 'msg_1',
  phone: '13800138000',
  notice: 'password_changed',
  at: '2026-09-03T07:59:00.000Z',
  text: '您账号的密码已修改',
  sentAt,
}
const templates = { registration: 'SMS_1', recovery: 'SMS_2', notice: 'SMS_3' }
const webhookSecret = Buffer.from('a secret of the relay, 32 bytes!')
const credentials: Record<string, string> = {
  RELAY_SECRET: `whsec_${webhookSecret.toString('base64')}`,
  VENDOR_ID: 'the-id',
  VENDOR_SECRET: 'the-secret',
}

let vendor: SmsVendor
beforeAll(async () => {
  vendor = await startSmsVendor()
})
beforeEach(() => {
  vendor.requests.length = 0
})
afterAll(() => vendor.close())

interface Adapter {
  readonly settings: () => SmsSettings
  readonly accepted: VendorReply
  /** A refusal that repeats the phone, as vendors do. */
  readonly refused: VendorReply
  readonly refusal: string
}

const json = (value: object, status = 200): VendorReply => ({ status, body: JSON.stringify(value) })
const vendorSettings = () => ({ endpoint: vendor.url, signName: '网关 & Co', templates })

const adapters: Record<'http' | 'aliyun' | 'tencent', Adapter> = {
  http: {
    settings: () => ({ adapter: 'http', url: `${vendor.url}/hooks/sms`, secretEnv: 'RELAY_SECRET' }),
    accepted: { status: 202 },
    refused: json({ error: 'no credit for 13800138000' }, 402),
    refusal: 'the SMS relay refused the message: status 402',
  },
  aliyun: {
    settings: () => ({
      adapter: 'aliyun',
      region: 'cn-hangzhou',
      ...vendorSettings(),
      accessKeyIdEnv: 'VENDOR_ID',
      accessKeySecretEnv: 'VENDOR_SECRET',
    }),
    accepted: json({ Code: 'OK', Message: 'OK', BizId: '9006', RequestId: 'F655' }),
    refused: json({ Code: 'isv.MOBILE_NUMBER_ILLEGAL', Message: '13800138000非法手机号', RequestId: 'F655' }),
    refusal: 'Aliyun refused the message: isv.MOBILE_NUMBER_ILLEGAL',
  },
  tencent: {
    settings: () => ({
      adapter: 'tencent',
      region: 'ap-guangzhou',
      sdkAppId: '1400006666',
      ...vendorSettings(),
      secretIdEnv: 'VENDOR_ID',
      secretKeyEnv: 'VENDOR_SECRET',
    }),
    accepted: json({ Response: { SendStatusSet: [{ Code: 'Ok', PhoneNumber: '+8613800138000' }], RequestId: 'a0aa' } }),
    refused: json({
      Response: { SendStatusSet: [{ Code: 'LimitExceeded.PhoneNumberDailyLimit', PhoneNumber: '+8613800138000' }] },
    }),
    refusal: 'Tencent refused the message: LimitExceeded.PhoneNumberDailyLimit',
  },
}

const texts = { smsText, noticeParameters }

const create = (adapter: Adapter, environment = credentials) =>
  chooseSms(adapter.settings(), '/nowhere', (variable) => environment[variable], texts)

const failureOf = async (sending: Promise<void>) => {
  const failure = await sending.then(
    () => expect.fail('it was sent'),
    (error: Error) => error,
  )
  expect(failure).toBeInstanceOf(DeliveryFailure)
  expect(`${failure.stack}${failure.cause ?? ''}`).not.toMatch(/13800138000|246810|the-secret|gvc_1/)
  return failure.message
}

test('the http adapter posts a signed JSON document', async () => {
  vendor.reply = () => adapters.http.accepted
  await create(adapters.http).send(code)
  await create(adapters.http).send(notice)
  const [first, second] = vendor.requests
  for (const request of vendor.requests) expect(isSigned.standardWebhook(request, webhookSecret)).toBe(true)
  expect(isSigned.standardWebhook({ ...first!, body: second!.body }, webhookSecret)).toBe(false)
  expect(first).toMatchObject({
    path: '/hooks/sms',
    headers: { 'content-type': 'application/json', 'webhook-id': 'gvc_1', 'webhook-timestamp': '1788422400' },
  })
  expect(JSON.parse(first!.body)).toEqual({
    type: 'sms.recovery',
    timestamp: sentAt,
    data: {
      phone: '13800138000',
      text: '找回密码验证码：246810，请勿告知他人。Your code to reset your password is 246810. Do not share it.',
      code: '246810',
      challengeId: 'gvc_1',
    },
  })
  expect(second!.headers['webhook-id']).toBe('msg_1')
  expect(JSON.parse(second!.body)).toMatchObject({
    type: 'sms.notice',
    data: { phone: '13800138000', text: '您账号的密码已修改', notice: 'password_changed' },
  })
})

test('the aliyun adapter sends the template of each kind, signed', async () => {
  vendor.reply = (request) =>
    isSigned.aliyun(request, 'the-secret') ? adapters.aliyun.accepted : json({ Code: 'SignatureDoesNotMatch' }, 400)
  await create(adapters.aliyun).send({ ...code, kind: 'registration' })
  await create(adapters.aliyun).send(code)
  await create(adapters.aliyun).send(notice)
  const sent = vendor.requests.map(({ query }) => Object.fromEntries(query))
  const common = { PhoneNumbers: '13800138000', RegionId: 'cn-hangzhou', SignName: '网关 & Co' }
  expect(sent).toEqual([
    { ...common, TemplateCode: 'SMS_1', TemplateParam: '{"code":"246810"}' },
    { ...common, TemplateCode: 'SMS_2', TemplateParam: '{"code":"246810"}' },
    { ...common, TemplateCode: 'SMS_3', TemplateParam: '{"event":"密码已修改","time":"2026-09-03 15:59"}' },
  ])
  expect(vendor.requests[0]!.headers).toMatchObject({
    'x-acs-action': 'SendSms',
    'x-acs-version': '2017-05-25',
    'x-acs-date': '2026-09-03T08:00:00Z',
    host: vendor.host,
  })
  expect(vendor.requests[0]!.headers.authorization).toContain('Credential=the-id,')
  const wrongKey = { ...credentials, VENDOR_SECRET: 'other' }
  expect(await failureOf(create(adapters.aliyun, wrongKey).send(code))).toBe(
    'Aliyun refused the message: SignatureDoesNotMatch',
  )
})

test('the tencent adapter sends the template of each kind, signed', async () => {
  vendor.reply = (request) =>
    isSigned.tencent(request, 'the-secret')
      ? adapters.tencent.accepted
      : json({ Response: { Error: { Code: 'AuthFailure.SignatureFailure', Message: 'no' } } })
  await create(adapters.tencent).send({ ...code, kind: 'registration' })
  await create(adapters.tencent).send(code)
  await create(adapters.tencent).send(notice)
  const common = { PhoneNumberSet: ['+8613800138000'], SmsSdkAppId: '1400006666', SignName: '网关 & Co' }
  expect(vendor.requests.map(({ body }) => JSON.parse(body))).toEqual([
    { ...common, TemplateId: 'SMS_1', TemplateParamSet: ['246810'] },
    { ...common, TemplateId: 'SMS_2', TemplateParamSet: ['246810'] },
    { ...common, TemplateId: 'SMS_3', TemplateParamSet: ['密码已修改', '2026-09-03 15:59'] },
  ])
  expect(vendor.requests[0]!.headers).toMatchObject({
    'x-tc-action': 'SendSms',
    'x-tc-version': '2021-01-11',
    'x-tc-region': 'ap-guangzhou',
    'x-tc-timestamp': '1788422400',
  })
  const wrongKey = { ...credentials, VENDOR_SECRET: 'other' }
  expect(await failureOf(create(adapters.tencent, wrongKey).send(code))).toBe(
    'Tencent refused the message: AuthFailure.SignatureFailure',
  )
})

describe.each(Object.entries(adapters))('the %s adapter', (_name, adapter) => {
  test('an adapter reports a refusal by its code alone', async () => {
    vendor.reply = () => adapter.refused
    expect(await failureOf(create(adapter).send(code))).toBe(adapter.refusal)
  })

  test('an adapter takes neither an error page nor an endless one for an acceptance', async () => {
    vendor.reply = () => ({ status: 502, body: '<html>13800138000</html>' })
    expect(await failureOf(create(adapter).send(code))).toMatch(/ refused the message: status 502$/)
    vendor.reply = () => ({ status: 200, body: 'x'.repeat(65_537) })
    expect(await failureOf(create(adapter).send(code))).toBe('the response is too long')
  })

  test('an adapter follows no redirect', async () => {
    vendor.reply = ({ path }) => (path === '/elsewhere' ? adapter.accepted : redirect)
    const redirect = { status: 307, headers: { location: `${vendor.url}/elsewhere` } }
    expect(await failureOf(create(adapter).send(code))).toMatch(/ refused the message: status 307$/)
    expect(vendor.requests).toHaveLength(1)
  })

  test('an adapter gives up after ten seconds', async () => {
    vendor.reply = undefined
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const sending = failureOf(create(adapter).send(code))
    while (vendor.requests.length === 0) await new Promise(setImmediate)
    await vi.advanceTimersByTimeAsync(10_000)
    vi.useRealTimers()
    expect(await sending).toBe(`${vendor.host} cannot be reached: timeout`)
  })

  test('an adapter sends nothing without its credentials', async () => {
    expect(await failureOf(create(adapter, {}).send(code))).toMatch(/(is|are) not set$/)
    expect(vendor.requests).toEqual([])
  })

  test('an adapter reports a vendor that cannot be reached', async () => {
    const gone = await startSmsVendor()
    await gone.close()
    const settings = adapter.settings()
    const moved = 'url' in settings ? { ...settings, url: gone.url } : { ...settings, endpoint: gone.url }
    const sender = chooseSms(moved as SmsSettings, '/nowhere', (variable) => credentials[variable], texts)
    expect(await failureOf(sender.send(code))).toBe(`${gone.host} cannot be reached: ECONNREFUSED`)
  })
})

test.each([
  ['failing', 'this adapter fails on purpose'],
  ['disabled', 'SMS is disabled'],
] as const)('the adapter `%s` refuses every message', async (adapter, reason) => {
  expect(await failureOf(chooseSms({ adapter }, '/nowhere', () => undefined, texts).send(code))).toBe(reason)
})
