// A clock that nobody sets, in milliseconds, which all processes of the machine share. On Linux it also runs while the machine is
// suspended: a lease that ran out meanwhile must not be trusted afterwards.
import { uptime } from 'node:os'

export function steadyMs(): number {
  return process.platform === 'linux'
    ? Math.floor(uptime() * 1000)
    : Number(process.hrtime.bigint() / 1_000_000n)
}
