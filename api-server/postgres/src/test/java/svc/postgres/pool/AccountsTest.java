package svc.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccountsTest {
    private static Accounts<String> accounts(int cap, PoolShares shares) {
        // A login is called organisation/project/login.
        var owners = new PoolOwners<String>(
                login -> login.substring(0, login.lastIndexOf('/')), login -> login.substring(0, login.indexOf('/')));
        return new Accounts<>(
                owners, PoolSettings.defaults().withCap(cap).withPerLogin(cap).withShares(shares));
    }

    private static int take(Accounts<String> accounts, Account project, int wanted) {
        int taken = 0;
        while (taken < wanted && accounts.mayTake(project)) {
            project.held(1);
            taken++;
        }
        return taken;
    }

    @Test
    void allLoginsOfAProjectShareItsCap() {
        Accounts<String> accounts = accounts(100, new PoolShares(20, 100, 10));
        Account api = accounts.open("o/p/api");
        Account service = accounts.open("o/p/service");
        assertThat(service).isSameAs(api);
        assertThat(take(accounts, api, 15) + take(accounts, service, 15)).isEqualTo(20);
    }

    @Test
    void allProjectsOfAnOrganisationShareItsCap() {
        Accounts<String> accounts = accounts(100, new PoolShares(20, 30, 10));
        int taken = 0;
        for (int i = 0; i < 80; i++) {
            taken += take(accounts, accounts.open("o/p" + i + "/api"), 20);
        }
        assertThat(taken).isEqualTo(30);
        assertThat(take(accounts, accounts.open("other/p/api"), 1)).isOne();
    }

    @Test
    void aProjectThatIsAloneGetsAllThatItMay() {
        Accounts<String> accounts = accounts(4, new PoolShares(4, 4, 10));
        assertThat(take(accounts, accounts.open("o/p/api"), 9)).isEqualTo(4);
    }

    /** Without it, five projects would take all hundred places, and the sixth would wait for one of them. */
    @ParameterizedTest
    @CsvSource({"true, 25", "false, 50"})
    void thoseThatWantAllLeaveAPlaceForEachThatComesLater(boolean oneOrganization, int served) {
        for (int greedy = 1; greedy <= served; greedy++) {
            Accounts<String> accounts = accounts(100, new PoolShares(20, oneOrganization ? 50 : 100, 10));
            List<Account> projects = new ArrayList<>();
            for (int i = 0; i < served; i++) {
                projects.add(accounts.open((oneOrganization ? "o" : "o" + i) + "/p" + i + "/api"));
            }
            // The first one is alone until it has all that it may.
            take(accounts, projects.getFirst(), 100);
            List<Account> early = projects.subList(0, greedy);
            for (int round = 0; round < 100; round++) {
                early.forEach(project -> take(accounts, project, 1));
            }
            for (Account late : projects.subList(greedy, served)) {
                take(accounts, late, 1);
            }
            assertThat(projects).as("%d came first", greedy).allMatch(project -> project.held() > 0);
        }
    }

    @Test
    void aGivenPlaceCountsUntilItIsGivenBack() {
        Accounts<String> accounts = accounts(10, new PoolShares(2, 10, 10));
        Account project = accounts.open("o/p/api");
        assertThat(take(accounts, project, 5)).isEqualTo(2);
        project.held(-1);
        assertThat(take(accounts, project, 5)).isOne();
        assertThat(project.whole().held()).isEqualTo(2);
    }

    @Test
    void waitingCallersOfAProjectAreBounded() {
        Accounts<String> accounts = accounts(10, new PoolShares(2, 10, 3));
        Account crowded = accounts.open("o/p/api");
        crowded.waits(3);
        assertThat(accounts.mayWait(crowded)).isFalse();
        assertThat(accounts.mayWait(accounts.open("o/q/api"))).isTrue();
    }

    @Test
    void anAccountEndsWithItsLastLogin() {
        Accounts<String> accounts = accounts(10, PoolShares.defaults());
        Account before = accounts.open("o/p/api");
        accounts.open("o/p/service");
        accounts.close("o/p/api");
        assertThat(accounts.open("o/p/api")).isSameAs(before);
        accounts.close("o/p/api");
        accounts.close("o/p/service");
        assertThat(accounts.open("o/p/api")).isNotSameAs(before);
        accounts.close("o/p/api");
    }
}
