-- New sessions begin with the settings of the hub; existing ones stay as they are.
ALTER TABLE "Repo" DROP COLUMN "settings";
