/** The folder with the packages that tools/prisma pins, installed when they are missing. */
export function installPrisma(): Promise<string>
