package svc.database.shared;

import java.sql.SQLException;
import java.util.List;

/** One part of the hardening: compares the database with what it should be. Reads only; empty when nothing is to do. */
interface Section {
    List<Step> plan(Session session) throws SQLException;
}
