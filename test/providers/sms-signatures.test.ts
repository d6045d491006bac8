import { describe, expect, test } from 'vitest'
import { signMessage } from '../../src/base/signatures.ts'
import { canonicalQuery, signAcs3 } from '../../src/providers/sms/aliyun.ts'
import { signTc3 } from '../../src/providers/sms/tencent.ts'

describe('the signatures that vendors publish as examples', () => {
  // help.aliyun.com/zh/sdk/product-overview/v3-request-structure-and-signature, "固定参数示例".
  test('ACS3-HMAC-SHA256 of Alibaba Cloud', () => {
    const headers = signAcs3({
      host: 'ecs.cn-shanghai.aliyuncs.com',
      action: 'RunInstances',
      version: '2014-05-26',
      query: canonicalQuery({
        RegionId: 'cn-shanghai',
        ImageId: 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd',
      }),
      body: '',
      date: '2023-10-26T10:22:32.000Z',
      nonce: '3156853299f313e23d1673dc12e1703d',
      accessKeyId: 'YourAccessKeyId',
      accessKeySecret: 'YourAccessKeySecret',
    })
    expect(headers.authorization).toBe(
      'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,' +
        'SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,' +
        'Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
    )
  })

  // cloud.tencent.com/document/api/213/30654 (签名方法 v3): the asterisks are the key that the example was computed with.
  test('TC3-HMAC-SHA256 of Tencent Cloud', () => {
    const authorization = signTc3({
      host: 'cvm.tencentcloudapi.com',
      service: 'cvm',
      action: 'DescribeInstances',
      body: '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}',
      timestamp: 1_551_113_065,
      secretId: `AKID${'*'.repeat(32)}`,
      secretKey: '*'.repeat(32),
    })
    expect(authorization).toBe(
      `TC3-HMAC-SHA256 Credential=AKID${'*'.repeat(32)}/2019-02-25/cvm/tc3_request, ` +
        'SignedHeaders=content-type;host;x-tc-action, ' +
        'Signature=10b1a37a7301a02ca19a647ad722d5e43b4b3cff309d421d85b46093f6ab6c4f',
    )
  })

  // github.com/standard-webhooks/standard-webhooks: the tests of the reference libraries.
  test.each(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])(
    'Standard Webhooks with the secret %s',
    (secret) => {
      const webhook = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' }
      expect(signMessage({ secret, ...webhook })).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
    },
  )
})

test('a query is sorted and encoded as RFC 3986 says', () => {
  expect(canonicalQuery({ b: "!'()*~ /", a: '验', B: '+' })).toBe('B=%2B&a=%E9%AA%8C&b=%21%27%28%29%2A~%20%2F')
})
