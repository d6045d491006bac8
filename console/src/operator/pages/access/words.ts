import type { Translated } from '../../../i18n/messages.ts'

declare module '../../../i18n/messages.ts' {
  interface OperatorWords {
    readonly signIn: (typeof en)['signIn']
    readonly firstPassword: (typeof en)['firstPassword']
    readonly enrol: (typeof en)['enrol']
    readonly me: (typeof en)['me']
  }
}

const en = {
  signIn: {
    title: 'Sign in',
    lead: 'For the people who run this gateway.',
    name: 'Operator name',
    password: 'Password',
    totp: 'One-time code',
    totpHint: '6 digits from your authenticator app. Leave empty if you have not set one up.',
    totpNeeded: 'Enter the 6-digit code from your authenticator app.',
    newPassword: 'New password',
    submit: 'Sign in',
    expired: 'You were signed out after 30 minutes of inactivity. Sign in to continue.',
    signedOut: 'You are signed out.',
    linkTitle: 'This link no longer works',
    noAccount: 'No account yet? Ask an administrator to run:',
  },
  firstPassword: {
    title: 'Choose a password',
    lead: 'Someone else has seen your first password. Replace it before you continue.',
    current: 'First password',
    submit: 'Save password',
  },
  enrol: {
    title: 'Set up one-time codes',
    lead: 'Every sign-in here needs a code from an authenticator app. Set it up before you continue.',
    current: 'Your password',
    show: 'Show the secret',
    code: 'Code from the app',
    codeHint: '6 digits. Five wrong codes in a row lock your sign-in.',
    submit: 'Confirm',
  },
  me: {
    title: 'Your profile',
    lead: 'Your name, role and permissions.',
    name: 'Name',
    role: 'Role',
    may: 'Permissions',
    mayOf: {
      viewer: 'Read everything, but change nothing.',
      support:
        'Read everything, decide reviews, suspend accounts, revoke keys, take providers in and out of service, and reconcile.',
      treasurer: 'Everything support can do, plus grant and withdraw credits and approve other operators’ requests.',
      admin: 'Everything, including managing operators.',
    },
    password: 'Password',
    changePassword: 'Change password',
    changeHint: 'Your other sessions will end.',
    current: 'Current password',
    changed_one: 'Your password was changed, and {{count}} other session was ended.',
    changed_other: 'Your password was changed, and {{count}} other sessions were ended.',
    totp: 'One-time codes',
    totpHint: 'Creates a new secret for your authenticator app. Codes from the old one stop working.',
    replaceTotp: 'New secret',
    noPassword: 'You have no password',
    noPasswordHint:
      'You signed in with this machine’s one-time link. To sign in with a password and one-time codes, add an operator.',
    toOperators: 'Go to operators',
  },
} as const

const zh: Translated<typeof en> = {
  signIn: {
    title: '登录',
    lead: '供网关的运营人员使用。',
    name: '操作员名称',
    password: '密码',
    totp: '动态码',
    totpHint: '身份验证器中的 6 位数字，未绑定可不填。',
    totpNeeded: '请输入身份验证器中的 6 位动态码。',
    newPassword: '新密码',
    submit: '登录',
    expired: '超过 30 分钟未操作，已自动退出，请重新登录。',
    signedOut: '已退出登录。',
    linkTitle: '登录链接已失效',
    noAccount: '还没有账号？请联系管理员在命令行添加：',
  },
  firstPassword: {
    title: '设置新密码',
    lead: '初始密码由他人设置，请先修改密码再继续。',
    current: '初始密码',
    submit: '保存密码',
  },
  enrol: {
    title: '绑定身份验证器',
    lead: '登录后台需要身份验证器中的动态码，请先绑定再继续。',
    current: '登录密码',
    show: '显示密钥',
    code: '验证器中的动态码',
    codeHint: '6 位数字，连续输错 5 次将锁定登录。',
    submit: '确认',
  },
  me: {
    title: '个人中心',
    lead: '当前登录的身份和权限。',
    name: '名称',
    role: '角色',
    may: '权限',
    mayOf: {
      viewer: '可查看全部内容，不能修改。',
      support: '可查看全部内容，并处理待确认调用、停用账号、吊销密钥、停用或恢复服务商、对账。',
      treasurer: '拥有客服的全部权限，还可人工入账、扣回和审批他人的申请。',
      admin: '拥有全部权限，包括管理操作员。',
    },
    password: '密码',
    changePassword: '修改密码',
    changeHint: '修改后，其他会话将退出登录。',
    current: '当前密码',
    changed_other: '密码已修改，其他 {{count}} 个会话已退出。',
    totp: '动态码',
    totpHint: '为身份验证器生成新密钥，旧密钥的动态码随即失效。',
    replaceTotp: '更换密钥',
    noPassword: '当前身份没有密码',
    noPasswordHint: '您通过本机的一次性链接登录。如需使用密码和动态码登录，请添加操作员。',
    toOperators: '前往操作员页面',
  },
}

export const access = { en, zh }
