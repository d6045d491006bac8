/** Lines of an environment file that systemd and a shell read alike, with what they read. */
export const readAlike: readonly (readonly [line: string, value: string])[] = [
  ['NAME=https://gateway.example', 'https://gateway.example'],
  ['NAME=kB+/8a=', 'kB+/8a='],
  ['NAME=a#b', 'a#b'],
  ['NAME=[]{}*?!', '[]{}*?!'],
  ['NAME=', ''],
  ['  NAME=a \t', 'a'],
  ['NAME=\'a $b `c` \\d "e" #f; 中 \'', 'a $b `c` \\d "e" #f; 中 '],
  ['NAME="it\'s # all; right" ', "it's # all; right"],
  ['# NAME=b\n#\n\n \nNAME=a', 'a'],
  ['NAME=a\nNAME=b', 'b'],
]

/** Lines that they read differently, or that one of them does not read. */
export const readDifferently: readonly string[] = [
  'NAME=a$b',
  'NAME=a`b`',
  'NAME=a b',
  'NAME= a',
  'NAME=a;b',
  'NAME=a&b',
  'NAME=~',
  'NAME=a\\b',
  "NAME=a'b'",
  'NAME="a$b"',
  'NAME="a\\$b"',
  'NAME="a`b`"',
  "NAME='a\nb'",
  'NAME=a\\\nb',
  '# a\\\nNAME=b',
  'NAME=a\r',
  '; NAME=b',
  'export NAME=a',
  'NAME =a',
]
